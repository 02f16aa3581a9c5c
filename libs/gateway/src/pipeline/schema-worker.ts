/** A thread that works on strangers' schemas, one job after another (output-schema.ts starts and ends it). */
import { parentPort } from 'node:worker_threads';
import { answerTo, type SchemaJob } from './schema-bounds.ts';

// Patterns are looked at against time: what has to be loaded for it is loaded before the first one that counts.
answerTo({ declare: { pattern: '^[a-z]{1,64}$' } });
answerTo({ check: { type: 'string' }, payload: '' });

parentPort!.on('message', (job: SchemaJob) => parentPort!.postMessage(answerTo(job)));
parentPort!.postMessage('ready');
