import { readFileSync } from 'node:fs';
import { Complaint } from '@kungfu/service';

/** A text as it is given: itself, `@file`, or `-` for standard input. Throws Complaint. */
export const textOf = (given: string): string => {
  if (given !== '-' && !given.startsWith('@')) return given;
  try {
    return readFileSync(given === '-' ? 0 : given.slice(1), 'utf8');
  } catch (error) {
    throw new Complaint(`${given} cannot be read: ${(error as Error).message}`);
  }
};

/** JSON as textOf reads it. Throws Complaint. */
export const jsonOf = (given: string): unknown => {
  try {
    return JSON.parse(textOf(given));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Complaint(`no JSON: ${error.message}`);
    throw error;
  }
};

/** Without what a terminal would take for commands: others wrote it. Line breaks stay. */
export const printable = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/\p{C}/gu, '�'))
    .join('\n');

/** A value for people: fields with their values, one a line, deeper ones indented. */
export const outline = (value: unknown, indent = ''): string => {
  if (Array.isArray(value))
    return value.map((item) => `${indent}- ${outline(item, `${indent}  `).trimStart()}`).join('\n');
  if (typeof value !== 'object' || value === null) return `${indent}${leaf(value, indent)}`;
  return Object.entries(value)
    .filter(([, field]) => !isEmpty(field))
    .map(([name, field]) => `${indent}${printable(name)}:${beside(field, `${indent}  `)}`)
    .join('\n');
};

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);
const beside = (value: unknown, indent: string): string =>
  typeof value === 'object' && value !== null ? `\n${outline(value, indent)}` : ` ${leaf(value, indent)}`;
const leaf = (value: unknown, indent: string): string => printable(String(value)).replaceAll('\n', `\n${indent}`);
