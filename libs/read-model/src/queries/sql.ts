/**
 * Pieces of SQL that keep a page as cheap as what it shows, however much there is. The planner guesses how many rows a page
 * takes before it knows the limit; with a wrong guess it would read whole tables or sort everything. So the page is cut
 * first, in the order of an index, and what belongs to its rows is looked up row by row.
 */

/** Whether there is such a row, asked for each row anew: without `offset 0` the planner may gather all of them first. */
export const isThere = (from: string): string => `exists (select 1 from ${from} offset 0)`;

/** A join of the one row, if any, of a table. In `where`, bare columns are those of the table. */
export const lookUp = (alias: string, table: string, where: string): string =>
  `left join lateral (select * from read.${table} where ${where} limit 1) ${alias} on true`;
