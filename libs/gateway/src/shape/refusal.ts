import { type RefusalCode, refusals, type ShapeError } from '@kungfu/protocol';

/** Why a request is not answered as asked (contract.md, Refusals). A value, never thrown. */
export type Refusal = {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  /** Seconds to wait. */
  readonly retryAfter?: number | undefined;
  readonly errors?: readonly ShapeError[] | undefined;
};

export const refused = (code: RefusalCode, errors?: readonly ShapeError[]): Refusal =>
  errors === undefined ? { kind: 'refused', code } : { kind: 'refused', code, errors };

/** Codes that come with Retry-After, and how long if nothing better is known. Seconds. */
const waits: Partial<Record<RefusalCode, number>> = {
  rate_limited: 1,
  overloaded: 1,
  expired: 1,
  interrupted: 1,
  pending: 1,
};

/** A refusal as RFC 9457 shows it. `instance` is the path that was asked for; `failure` the id under which a fault is logged. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: RefusalCode;
  readonly nextStep: string;
  readonly retryAfter?: number;
  readonly errors?: readonly ShapeError[];
  readonly failure?: string;
};

export const problemMediaType = 'application/problem+json; charset=utf-8';

/** The one form of every refusal: fixed sentences, nothing that the caller did not send (C-3). */
export const problemOf = (refusal: Refusal, instance: string, failure?: string): Problem => {
  const { status, title, detail, nextStep } = refusals[refusal.code];
  const retryAfter = refusal.retryAfter ?? waits[refusal.code];
  return {
    type: `urn:kungfu:refusal:${refusal.code}`,
    title,
    status,
    detail,
    instance,
    code: refusal.code,
    nextStep,
    ...(retryAfter === undefined ? {} : { retryAfter: Math.max(1, Math.ceil(retryAfter)) }),
    ...(refusal.errors === undefined || refusal.errors.length === 0 ? {} : { errors: refusal.errors }),
    ...(failure === undefined ? {} : { failure }),
  };
};
