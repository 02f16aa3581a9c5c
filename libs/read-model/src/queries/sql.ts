/**
 * Pieces of SQL that keep a page as cheap as what it shows, however much there is. The planner guesses how many rows a page
 * takes before it knows the limit; with a wrong guess it would read whole tables or sort everything. So the page is cut
 * first, in the order of an index, and what belongs to its rows is looked up row by row.
 */

/** Whether there is such a row, asked for each row anew: without `offset 0` the planner may gather all of them first. */
export const isThere = (from: string): string => `exists (select 1 from ${from} offset 0)`;

/** The one row of a table with a key, looked up in the index of that key. In `where`, bare columns are those of the table. */
export const rowOf = (table: string, where: string): string =>
  `lateral (select * from read.${table} where ${where} offset 0)`;

/** A join of the row, if there is one. */
export const lookUp = (alias: string, table: string, where: string): string =>
  `left join ${rowOf(table, where)} ${alias} on true`;

/**
 * A limit of a sub-select that hands out rows in the order of an index until whoever reads it has enough. No row is cut; but
 * the planner does not know that and does not sort what the index has in order.
 */
export const untilEnough = 'limit (select 9223372036854775807)';

/** Whether one of the rows that an index over JSON finds meets a condition: the planner would rather read the table until one does. */
export const isAmong = (alias: string, from: string, condition: string): string =>
  `exists (with ${alias} as materialized (select * from ${from}) select 1 from ${alias} where ${condition})`;
