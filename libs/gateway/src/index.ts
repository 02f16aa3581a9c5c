export { openApiDocument } from './docs/openapi.ts';
export * from './gateway.module.ts';
export * from './gateway.ts';
export * from './http/pipeline-port.ts';
export * from './limits/limiter.ts';
export { bindingOf, derivedId, fingerprintOf } from './pipeline/identity.ts';
export * from './pipeline/pipeline.ts';
export * from './pipeline/tables.ts';
export type { Waiter, Wakes } from './reads/wakes.ts';
