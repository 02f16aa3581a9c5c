import type { ActionInputs, ActionResult, Done, Kungfu } from '@kungfu/client';
import { Complaint } from '@kungfu/service';
import { Command } from 'commander';
import { agentAt, type AgentOptions, done, forActing, under } from '../agent/door.ts';
import { jsonOf, outline, textOf } from '../agent/text.ts';
import { show } from '../show.ts';

/** What an agent does, by references as reads hand them out. */
export const workCommands = (): readonly Command[] => [
  postCommand(),
  handleCommand(),
  takeCommand(),
  deliverCommand(),
  dropCommand(),
  judgeCommand(),
  rememberCommand(),
  startCommand(),
  joinCommand(),
  offerCommand(),
];

/** Does it and tells what came of it. */
const perform = async (
  options: AgentOptions,
  acting: (agent: Kungfu, key: ReturnType<typeof under>) => Promise<ActionResult>,
): Promise<void> => {
  const agent = agentAt(options);
  tell(options, await done(() => acting(agent, under(options))));
};

const tell = (options: AgentOptions, { receipt, secret, hints }: Done): void => {
  if (options.plain) return console.log([receipt.ref, ...(secret === undefined ? [] : [secret])].join(' '));
  const lines = [
    `done: ${receipt.ref}`,
    ...(secret === undefined ? [] : [`secret, told this once: ${secret}`]),
    ...receipt.begun.map(({ obligation, agent, ref }) => `begun: ${agent} owes ${obligation} at ${ref}`),
    ...receipt.ended.map(({ obligation, agent, ref, how }) => `ended: ${agent} ${obligation} at ${ref} (${how})`),
    ...(hints.length === 0 ? [] : [outline({ next: hints.map(({ action, ref }) => `${action} ${ref}`) })]),
  ];
  show(options, { receipt, ...(secret === undefined ? {} : { secret }), hints }, lines.join('\n'));
};

const isTask = (ref: string): boolean => ref.startsWith('task_');

type PostOptions = AgentOptions & {
  readonly title?: string;
  readonly memory?: string;
  readonly replyTo?: string;
  readonly ask?: string[];
  readonly askNobody?: true;
  readonly task?: string;
  readonly assignTo?: string;
  readonly wanted?: string;
  readonly criteria?: string;
  readonly outputSchema?: string;
};

const postCommand = (): Command =>
  forActing(new Command('post'))
    .description('post an entry in a thread; TEXT may be @file or - for standard input')
    .argument('<thread>')
    .argument('[text]')
    .option('--title <title>')
    .option('--memory <ref>', 'a Memory instead of a text')
    .option('--reply-to <ref>', 'the entry that it answers')
    .option('--ask <agent...>', 'who owes a response')
    .option('--ask-nobody', 'nobody owes a response')
    .option('--task <ref>', 'a Task that it refers to')
    .option('--assign-to <agent>', 'assigns work to a member, with --wanted and --criteria')
    .option('--wanted <text>')
    .option('--criteria <text>')
    .option('--output-schema <json>', 'JSON Schema that the payload has to meet')
    .action(async (thread: string, text: string | undefined, options: PostOptions) => {
      if ((text === undefined) === (options.memory === undefined))
        throw new Complaint('an entry has a text or --memory, and not both');
      await perform(options, (agent, key) => agent.thread.post(thread, postOf(text, options), key));
    });

const postOf = (text: string | undefined, options: PostOptions): ActionInputs['thread.post'] => ({
  ...(text === undefined ? { memory: options.memory! } : { content: { ...titled(options), body: textOf(text) } }),
  ...(options.replyTo === undefined ? {} : { replyTo: options.replyTo }),
  ...(options.askNobody ? { ask: [] } : options.ask === undefined ? {} : { ask: options.ask }),
  ...(options.task === undefined ? {} : { task: options.task }),
  ...(options.assignTo === undefined ? {} : { assign: { to: options.assignTo, content: contractWords(options) } }),
});

type Words = Pick<PostOptions, 'title' | 'wanted' | 'criteria' | 'outputSchema'>;
const titled = ({ title }: Words): { title?: string } => (title === undefined ? {} : { title });
const contractWords = ({ wanted, criteria, outputSchema }: Words) => {
  if (wanted === undefined || criteria === undefined) throw new Complaint('work needs --wanted and --criteria');
  return {
    wanted: textOf(wanted),
    criteria: textOf(criteria),
    ...(outputSchema === undefined ? {} : { outputSchema: jsonOf(outputSchema) as Record<string, unknown> }),
  };
};

const handleCommand = (): Command =>
  forActing(new Command('handle'))
    .description('end an own pending response without posting')
    .argument('<entry>')
    .option('--note <line>', 'for the author of the entry alone')
    .action((ref: string, options: AgentOptions & { note?: string }) => {
      const input = options.note === undefined ? {} : { content: { note: options.note } };
      return perform(options, (agent, key) => agent.thread.handle(ref, input, key));
    });

type DeliveryOptions = AgentOptions & {
  readonly payload?: string;
  readonly memory?: string[];
  readonly redoes?: string;
};
const delivering = (command: Command): Command =>
  forActing(command)
    .option('--payload <json>', 'JSON, @file, or - for standard input')
    .option('--memory <ref...>', 'own Memories');
const deliveryOf = ({
  payload,
  memory,
}: DeliveryOptions): ActionInputs['assignment.deliver']['delivery'] | undefined =>
  payload === undefined && memory === undefined
    ? undefined
    : {
        ...(payload === undefined ? {} : { content: { payload: jsonOf(payload) as object | null } }),
        ...(memory === undefined ? {} : { memories: memory }),
      };

const takeCommand = (): Command =>
  delivering(new Command('take'))
    .description('take an assignment or a Task; with --payload or --memory it is delivered in the same act')
    .argument('<ref>')
    .option('--redoes <ref>', 'an own engagement that this one does again')
    .action((ref: string, options: DeliveryOptions) => {
      const delivery = deliveryOf(options);
      const more = delivery === undefined ? {} : { delivery };
      const redoes = options.redoes === undefined ? {} : { redoes: options.redoes };
      return perform(options, (agent, key) =>
        isTask(ref) ? agent.task.take(ref, { ...more, ...redoes }, key) : agent.assignment.take(ref, more, key),
      );
    });

const deliverCommand = (): Command =>
  delivering(new Command('deliver'))
    .description('deliver what you took: a payload, own Memories, or both')
    .argument('<ref>')
    .action((ref: string, options: DeliveryOptions) => {
      const delivery = deliveryOf(options);
      if (delivery === undefined) throw new Complaint('a delivery needs --payload or --memory');
      return perform(options, (agent, key) =>
        isTask(ref)
          ? agent.engagement.deliver(ref, { delivery }, key)
          : agent.assignment.deliver(ref, { delivery }, key),
      );
    });

const dropCommand = (): Command =>
  forActing(new Command('drop'))
    .description('end what you took without delivering')
    .argument('<ref>')
    .action((ref: string, options: AgentOptions) =>
      perform(options, (agent, key) =>
        isTask(ref) ? agent.engagement.drop(ref, key) : agent.assignment.drop(ref, key),
      ),
    );

const judgeCommand = (): Command =>
  forActing(new Command('judge'))
    .description('adopt a delivery, or reject it with a reason')
    .argument('<ref>')
    .option('--adopt')
    .option('--reject <reason>', 'text, @file, or - for standard input')
    .action((ref: string, options: AgentOptions & { adopt?: true; reject?: string }) => {
      const { adopt, reject } = options;
      if ((adopt === true) === (reject !== undefined)) throw new Complaint('--adopt or --reject REASON');
      return perform(options, (agent, key) => {
        const work = isTask(ref) ? agent.engagement : agent.assignment;
        return reject === undefined
          ? work.adopt(ref, key)
          : work.reject(ref, { content: { reason: textOf(reject) } }, key);
      });
    });

const rememberCommand = (): Command =>
  forActing(new Command('remember'))
    .description('keep a text as a Memory, or as a new version of one')
    .argument('<text>', 'text, @file, or - for standard input')
    .option('--title <title>')
    .option('--update <memory>', 'a new version of this Memory')
    .action((text: string, options: AgentOptions & { title?: string; update?: string }) => {
      const input = { content: { ...titled(options), body: textOf(text) } };
      const { update } = options;
      return perform(options, (agent, key) =>
        update === undefined ? agent.memory.create(input, key) : agent.memory.update(update, input, key),
      );
    });

const startCommand = (): Command =>
  forActing(new Command('start'))
    .description('open a thread, with an admission whose secret is told once')
    .argument('[title]')
    .option('--role <role>', 'of those who join: observer, speaker or governor')
    .action((title: string | undefined, options: AgentOptions & { role?: 'observer' | 'speaker' | 'governor' }) => {
      const grant = options.role === undefined ? {} : { role: options.role };
      const input = { ...(title === undefined ? {} : { content: { title } }), grant };
      return perform(options, (agent, key) => agent.thread.create(input, key));
    });

const joinCommand = (): Command =>
  forActing(new Command('join'))
    .description('join the thread that a secret admits to')
    .argument('<secret>')
    .action((secret: string, options: AgentOptions) =>
      perform(options, (agent, key) => agent.thread.join({ secret }, key)),
    );

type OfferOptions = AgentOptions &
  Words & {
    readonly input?: string[];
    readonly to?: string[];
    readonly label?: string[];
    readonly judge?: string;
    readonly deliverySeconds?: string;
    readonly judgmentSeconds?: string;
    readonly maxAdoptions?: string;
  };

const offerCommand = (): Command =>
  forActing(new Command('offer'))
    .description('offer a Task to all who are eligible, or to the agents named with --to')
    .requiredOption('--wanted <text>')
    .requiredOption('--criteria <text>')
    .option('--title <title>')
    .option('--output-schema <json>', 'JSON Schema that the payload has to meet')
    .option('--input <ref...>', 'own Memories that everyone who takes it may read')
    .option('--to <agent...>', 'only these may take it')
    .option('--label <label...>', 'labels that an agent has to have')
    .option('--judge <agent>', 'who judges instead of you')
    .option('--delivery-seconds <seconds>')
    .option('--judgment-seconds <seconds>')
    .option('--max-adoptions <number>')
    .action((options: OfferOptions) => perform(options, (agent, key) => agent.task.create(offerOf(options), key)));

const offerOf = (options: OfferOptions): ActionInputs['task.create'] => ({
  content: { ...titled(options), ...contractWords(options) },
  ...(options.input === undefined ? {} : { requiredInputs: options.input }),
  ...(options.to === undefined ? {} : { audience: { restricted: options.to } }),
  ...(options.label === undefined ? {} : { eligibility: options.label }),
  ...(options.judge === undefined ? {} : { judge: options.judge }),
  ...numbers({
    deliverySeconds: options.deliverySeconds,
    judgmentSeconds: options.judgmentSeconds,
    maxAdoptions: options.maxAdoptions,
  }),
});

const numbers = <K extends string>(given: Readonly<Record<K, string | undefined>>): { [P in K]?: number } =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, text]) => (text === undefined ? [] : [[name, Number(text)]])),
  ) as { [P in K]?: number };
