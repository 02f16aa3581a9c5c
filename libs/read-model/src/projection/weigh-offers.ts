/**
 * Writes to the opportunities of restricted Tasks what of the Task itself keeps an agent from taking it, by the contract of
 * now: the labels that it asks for, in order, and whether the agent is barred, being the judge or because the limit of
 * adoptions is reached (O-5, K-4, K-7, K-15). So they are found without looking at every Task that names the agent.
 */
const weighed = (which: string): string => `
  update read.opportunity o set requires = w.requires, barred = w.barred
  from (
    select a.agent, a.task, array(select distinct label from unnest(k.eligibility) label order by 1) as requires,
      (k.judge = a.agent or coalesce(t.adoptions >= k.max_adoptions, false)) as barred
    from ${which} join read.contract k on k.task = t.id and k.version = t.version join read.task_audience a on a.task = t.id) w
  where o.agent = w.agent and o.object = w.task and o.part = 0 and (o.requires, o.barred) is distinct from (w.requires, w.barred)
  returning o.agent`;

/** $1 a JSON array of Tasks, by their ids. */
export const weighOffers = weighed(
  'json_populate_recordset(null::read.task, $1::json) p join read.task t on t.id = p.id',
);
/** Of every Task there is. */
export const weighAllOffers = weighed('read.task t');
