export * from './accounts.ts';
export * from './assignments.ts';
export { type Piece, type Presented, pieceOf, type Words } from './content.ts';
export * from './entries.ts';
export * from './memories.ts';
export { type Page, type Reader, snapshot } from './reader.ts';
export * from './threads.ts';
export * from './turn.ts';
