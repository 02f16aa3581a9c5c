import Table from 'cli-table3';

/** A table without lines, for people; `--json` is for programs. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const none = {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
  };
  const chars = { ...none, left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' };
  const made = new Table({
    head: [...head],
    chars,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  made.push(...rows.map((row) => [...row]));
  return made.toString();
};

/** Prints what a command found, for people or for programs. */
export const show = ({ json }: { readonly json?: boolean }, value: unknown, text: string): void =>
  console.log(json ? JSON.stringify(value, undefined, 2) : text);
