import { parseReference, type Reference } from '@kungfu/protocol';
import { Complaint } from '@kungfu/service';

/** A reference as a read handed it out. Throws Complaint. */
export const referenceOf = (text: string): Reference => {
  const reference = parseReference(text);
  if (reference === undefined)
    throw new Complaint(`${text} is no reference: take one as a read or a receipt hands it out`);
  return reference;
};

/** Where the object or part behind a reference is read. */
export const pathOf = (text: string): string => {
  const reference = referenceOf(text);
  switch (reference.kind) {
    case 'thread':
    case 'entry':
    case 'assignment':
      return `/v1/threads/${text}`;
    case 'member':
      return `/v1/threads/${reference.thread}/members`;
    case 'memory':
    case 'version':
      return `/v1/memories/${text}`;
    case 'task':
    case 'contract':
    case 'engagement':
      return `/v1/tasks/${text}`;
    case 'agent':
      throw new Complaint('agents have no page of their own');
  }
};

/** Work by its reference: an assignment of a thread, or an engagement of a Task. Throws Complaint. */
export const workOf = (text: string): Extract<Reference, { kind: 'assignment' | 'engagement' }> => {
  const reference = referenceOf(text);
  if (reference.kind === 'assignment' || reference.kind === 'engagement') return reference;
  throw new Complaint(`${text} is neither an assignment nor an engagement`);
};
