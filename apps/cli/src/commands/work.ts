import type { ActionInputs, AgentId, EngagementId } from '@kungfu/protocol';
import { Complaint } from '@kungfu/service';
import { Command } from 'commander';
import { act, type AgentOptions, type Done, doorOf, forActing } from '../agent/door.ts';
import { referenceOf, workOf } from '../agent/reference.ts';
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

const tell = (options: AgentOptions, done: Done): void => {
  const { receipt, secret, hints } = done;
  if (options.plain) return console.log([receipt.ref, ...(secret === undefined ? [] : [secret])].join(' '));
  const lines = [
    `done: ${receipt.ref}`,
    ...(secret === undefined ? [] : [`secret, told this once: ${secret}`]),
    ...receipt.begun.map(({ obligation, agent, ref }) => `begun: ${agent} owes ${obligation} at ${ref}`),
    ...receipt.ended.map(({ obligation, agent, ref, how }) => `ended: ${agent} ${obligation} at ${ref} (${how})`),
    ...(hints.length === 0 ? [] : [outline({ next: hints.map(({ action, ref }) => `${action} ${ref}`) })]),
  ];
  show(options, done, lines.join('\n'));
};

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
      tell(options, await act(doorOf(options), 'thread.post', thread, postOf(text, options), options));
    });

const postOf = (text: string | undefined, options: PostOptions): ActionInputs['thread.post'] => ({
  ...(text === undefined ? { memory: options.memory! } : { content: { ...titled(options), body: textOf(text) } }),
  ...(options.replyTo === undefined ? {} : { replyTo: options.replyTo }),
  ...(options.askNobody ? { ask: [] } : options.ask === undefined ? {} : { ask: options.ask as AgentId[] }),
  ...(options.task === undefined ? {} : { task: options.task }),
  ...(options.assignTo === undefined
    ? {}
    : { assign: { to: options.assignTo as AgentId, content: contractWords(options) } }),
});

type Words = Pick<PostOptions, 'title' | 'wanted' | 'criteria' | 'outputSchema'>;
const titled = ({ title }: Words): { title?: string } => (title === undefined ? {} : { title });
const contractWords = ({ wanted, criteria, outputSchema }: Words) => {
  if (wanted === undefined || criteria === undefined) throw new Complaint('work needs --wanted and --criteria');
  return {
    wanted: textOf(wanted),
    criteria: textOf(criteria),
    ...(outputSchema === undefined ? {} : { outputSchema: jsonOf(outputSchema) as object }),
  };
};

const handleCommand = (): Command =>
  forActing(new Command('handle'))
    .description('end an own pending response without posting')
    .argument('<entry>')
    .option('--note <line>', 'for the author of the entry alone')
    .action(async (ref: string, options: AgentOptions & { note?: string }) => {
      const entry = referenceOf(ref);
      if (entry.kind !== 'entry') throw new Complaint(`${ref} is no entry`);
      const input = { entry: entry.entry, ...(options.note === undefined ? {} : { content: { note: options.note } }) };
      tell(options, await act(doorOf(options), 'thread.handle', entry.thread, input, options));
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
    .action(async (ref: string, options: DeliveryOptions) => {
      const reference = referenceOf(ref);
      const delivery = deliveryOf(options);
      const more = delivery === undefined ? {} : { delivery };
      const redoes = options.redoes === undefined ? {} : { redoes: options.redoes };
      const door = doorOf(options);
      if (reference.kind === 'task')
        return tell(options, await act(door, 'task.take', reference.task, { ...more, ...redoes }, options));
      if (reference.kind !== 'assignment') throw new Complaint(`${ref} is neither an assignment nor a Task`);
      const { thread, assignment } = reference;
      tell(options, await act(door, 'assignment.take', thread, { assignment, ...more }, options));
    });

const deliverCommand = (): Command =>
  delivering(new Command('deliver'))
    .description('deliver what you took: a payload, own Memories, or both')
    .argument('<ref>')
    .action(async (ref: string, options: DeliveryOptions) => {
      const work = workOf(ref);
      const delivery = deliveryOf(options);
      if (delivery === undefined) throw new Complaint('a delivery needs --payload or --memory');
      const door = doorOf(options);
      const done =
        work.kind === 'assignment'
          ? await act(door, 'assignment.deliver', work.thread, { assignment: work.assignment, delivery }, options)
          : await act(door, 'engagement.deliver', work.task, { engagement: work.engagement, delivery }, options);
      tell(options, done);
    });

const dropCommand = (): Command =>
  forActing(new Command('drop'))
    .description('end what you took without delivering')
    .argument('<ref>')
    .action(async (ref: string, options: AgentOptions) => {
      const work = workOf(ref);
      const door = doorOf(options);
      const done =
        work.kind === 'assignment'
          ? await act(door, 'assignment.drop', work.thread, { assignment: work.assignment }, options)
          : await act(door, 'engagement.drop', work.task, { engagement: work.engagement }, options);
      tell(options, done);
    });

const judgeCommand = (): Command =>
  forActing(new Command('judge'))
    .description('adopt a delivery, or reject it with a reason')
    .argument('<ref>')
    .option('--adopt')
    .option('--reject <reason>', 'text, @file, or - for standard input')
    .action(async (ref: string, options: AgentOptions & { adopt?: true; reject?: string }) => {
      if ((options.adopt === true) === (options.reject !== undefined))
        throw new Complaint('--adopt or --reject REASON');
      const work = workOf(ref);
      tell(
        options,
        await (work.kind === 'assignment' ? judgeAssignment(work, options) : judgeEngagement(work, options)),
      );
    });

type Judging = AgentOptions & { readonly reject?: string };
const judgeAssignment = (
  { thread, assignment }: { thread: string; assignment: number },
  options: Judging,
): Promise<Done> =>
  options.reject === undefined
    ? act(doorOf(options), 'assignment.adopt', thread, { assignment }, options)
    : act(doorOf(options), 'assignment.reject', thread, { assignment, content: reasonOf(options.reject) }, options);
const judgeEngagement = (
  { task, engagement }: { task: string; engagement: EngagementId },
  options: Judging,
): Promise<Done> =>
  options.reject === undefined
    ? act(doorOf(options), 'engagement.adopt', task, { engagement }, options)
    : act(doorOf(options), 'engagement.reject', task, { engagement, content: reasonOf(options.reject) }, options);
const reasonOf = (reason: string) => ({ reason: textOf(reason) });

const rememberCommand = (): Command =>
  forActing(new Command('remember'))
    .description('keep a text as a Memory, or as a new version of one')
    .argument('<text>', 'text, @file, or - for standard input')
    .option('--title <title>')
    .option('--update <memory>', 'a new version of this Memory')
    .action(async (text: string, options: AgentOptions & { title?: string; update?: string }) => {
      const input = { content: { ...titled(options), body: textOf(text) } };
      const door = doorOf(options);
      const done =
        options.update === undefined
          ? await act(door, 'memory.create', undefined, input, options)
          : await act(door, 'memory.update', options.update, input, options);
      tell(options, done);
    });

const startCommand = (): Command =>
  forActing(new Command('start'))
    .description('open a thread, with an admission whose secret is told once')
    .argument('[title]')
    .option('--role <role>', 'of those who join: observer, speaker or governor')
    .action(
      async (title: string | undefined, options: AgentOptions & { role?: 'observer' | 'speaker' | 'governor' }) => {
        const grant = options.role === undefined ? {} : { role: options.role };
        const input = { ...(title === undefined ? {} : { content: { title } }), grant };
        tell(options, await act(doorOf(options), 'thread.create', undefined, input, options));
      },
    );

const joinCommand = (): Command =>
  forActing(new Command('join'))
    .description('join the thread that a secret admits to')
    .argument('<secret>')
    .action(async (secret: string, options: AgentOptions) =>
      tell(options, await act(doorOf(options), 'thread.join', undefined, { secret }, options)),
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
    .action(async (options: OfferOptions) =>
      tell(options, await act(doorOf(options), 'task.create', undefined, offerOf(options), options)),
    );

const offerOf = (options: OfferOptions): ActionInputs['task.create'] => ({
  content: { ...titled(options), ...contractWords(options) },
  ...(options.input === undefined ? {} : { requiredInputs: options.input }),
  ...(options.to === undefined ? {} : { audience: { restricted: options.to as AgentId[] } }),
  ...(options.label === undefined ? {} : { eligibility: options.label }),
  ...(options.judge === undefined ? {} : { judge: options.judge as AgentId }),
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
