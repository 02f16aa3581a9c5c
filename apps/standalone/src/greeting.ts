/** An agent made for the first try, with a key that is told once. */
export type FirstAgent = { readonly id: string; readonly secret: string };

export type Greeting = {
  readonly url: string;
  readonly adminUrl: string;
  readonly data: string;
  /** Undefined when the token was given: then it stands nowhere here. */
  readonly adminTokenFile: string | undefined;
  /** Only at the first start over a data folder. */
  readonly agents: readonly FirstAgent[];
};

/** What a start says: where it is, where the data is, and, once, the keys of the first agents with a request that works. */
export const greetingOf = ({ url, adminUrl, data, adminTokenFile, agents }: Greeting): string => {
  const where = [
    'Kungfu runs.',
    '',
    `  agents          ${url}`,
    `  documentation   ${url}/docs`,
    `  administration  ${adminUrl} (token ${adminTokenFile === undefined ? 'as given in KUNGFU_ADMIN_TOKEN' : `in ${adminTokenFile}`})`,
    `  data            ${data}`,
    '',
  ];
  return [...where, ...keysOf(agents, url)].join('\n');
};

const keysOf = (agents: readonly FirstAgent[], url: string): readonly string[] => {
  const [first] = agents;
  if (first === undefined) return [];
  return [
    'Two agents for a first try. Their keys are told this once and kept nowhere:',
    '',
    ...agents.map(({ id, secret }) => `  ${id}  ${secret}`),
    '',
    'Try the first one:',
    '',
    `  curl ${url}/v1/me -H 'Authorization: Bearer ${first.secret}'`,
    '',
  ];
};
