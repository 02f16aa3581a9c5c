/** The version of this implementation; independent of the protocol's (C-4). */
export const version = '0.1.0';
