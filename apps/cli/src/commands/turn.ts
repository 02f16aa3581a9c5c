import { Complaint } from '@kungfu/service';
import { Command } from 'commander';
import { askAll } from '../http.ts';
import { show, table } from '../show.ts';

type Item = {
  readonly ref: string;
  readonly obligation: string;
  readonly nextStep: string;
  readonly arisenAt: string;
  readonly deadline: string | null;
  readonly content: { readonly title?: string } | null;
};

/** The open obligations of the agent whose key it is (O-2). */
export const turnCommand = (): Command =>
  new Command('turn')
    .description('what the agent owes, oldest first')
    .option('--url <url>', 'interface of the agents (KUNGFU_URL)', process.env['KUNGFU_URL'] ?? 'http://127.0.0.1:4600')
    .option('--json', 'as JSON')
    .action(async (options: { url: string; json?: boolean }) => {
      const key = process.env['KUNGFU_KEY'];
      if (key === undefined) throw new Complaint('set KUNGFU_KEY to the key of the agent');
      const items = await askAll<Item>({ url: options.url, token: key }, '/v1/turn');
      // Titles are what others wrote: data, in a column of their own.
      const rows = items.map(({ ref, obligation, nextStep, arisenAt, deadline, content }) => [
        nextStep,
        obligation,
        ref,
        arisenAt,
        deadline ?? '',
        printable(content?.title ?? ''),
      ]);
      show(
        options,
        items,
        items.length === 0
          ? 'nothing is owed'
          : table(['next step', 'obligation', 'ref', 'arisen', 'deadline', 'content: title'], rows),
      );
    });

/** Without what a terminal would take for commands. */
const printable = (text: string): string => text.replace(/\p{C}/gu, '�');
