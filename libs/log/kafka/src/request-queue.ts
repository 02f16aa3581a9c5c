import { createRequire } from 'node:module';

type RequestQueue = { pending: readonly unknown[]; scheduleCheckPendingRequests(this: RequestQueue): void };

let repaired = false;

/**
 * kafkajs 2.2.4 looks for requests held back every millisecond on every connection, also when there are none, by a timer set
 * to a negative time (Node warns of it). Idle, that cost half a percent of a core a connection. Now it looks only while requests
 * are held back. Nothing else of kafkajs is touched.
 */
export const repairRequestQueue = (): void => {
  if (repaired) return;
  repaired = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
    prototype: RequestQueue;
  };
  const look = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (): void {
    if (this.pending.length > 0) look.call(this);
  };
};
