import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections of a door, so that closing ends those on which nothing is in flight, also those that never asked for
 * anything, and ends the others with their last answer.
 */
export class Connections {
  /** How many requests are in flight on each. */
  readonly #inFlight = new Map<Socket, number>();
  #closing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#inFlight.set(socket, 0);
      socket.once('close', () => this.#inFlight.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#count(socket, 1);
      response.once('close', () => this.#count(socket, -1));
    });
  }

  /** From now on a connection ends as soon as nothing is in flight on it. */
  close(): void {
    this.#closing = true;
    for (const [socket, inFlight] of this.#inFlight) if (inFlight === 0) socket.destroySoon();
  }

  #count(socket: Socket, change: 1 | -1): void {
    const inFlight = this.#inFlight.get(socket);
    if (inFlight === undefined) return;
    this.#inFlight.set(socket, inFlight + change);
    if (this.#closing && inFlight + change === 0) socket.destroySoon();
  }
}
