import type { ColumnOptions } from 'typeorm';

/** Options of the column types that the tables use. Times have milliseconds; bigint comes back as text. */
export const text = (name: string, options: ColumnOptions = {}): ColumnOptions => ({ type: 'text', name, ...options });
export const int = (name: string, options: ColumnOptions = {}): ColumnOptions => ({ type: 'int', name, ...options });
export const bigint = (name: string): ColumnOptions => ({ type: 'bigint', name });
export const flag = (name: string): ColumnOptions => ({ type: 'boolean', name });
export const time = (name: string, options: ColumnOptions = {}): ColumnOptions => ({
  type: 'timestamp with time zone',
  precision: 3,
  name,
  ...options,
});
export const nullable = { nullable: true } as const;
export const primary = { primary: true } as const;
