import type { Position } from '@kungfu/log-port';
import { Feed, type FeedPorts } from './feed.ts';
import type { Followed } from './followed.ts';
import { kafkaLimits } from './settings.ts';

/**
 * As few feeds as serve all readers: a partition goes to the first feed where nobody follows it. So one consumer serves a
 * process, and two readers of one partition do not disturb one another. A feed that nobody has used for a while is closed.
 */
export class Feeds {
  readonly #ports: FeedPorts;
  readonly #idleMsMax: number;
  readonly #sweep: NodeJS.Timeout;
  readonly #closing = new Set<Promise<void>>();
  #feeds: Feed[] = [];
  #closed = false;

  constructor(ports: FeedPorts, idleMsMax: number) {
    this.#ports = ports;
    this.#idleMsMax = idleMsMax;
    this.#sweep = setInterval(() => this.#closeIdle(), idleMsMax / 4);
    this.#sweep.unref();
  }

  follow(position: Position, wake: () => void): { readonly feed: Feed; readonly followed: Followed } {
    if (this.#closed) throw new Error('the log is closed');
    const feed = this.#feeds.find((one) => !one.follows(position)) ?? this.#another();
    return { feed, followed: feed.follow(position, wake) };
  }

  /** Milliseconds since the feed that has been silent the longest, of those in use, got an answer. */
  silentMs(): number {
    return Math.max(0, ...this.#feeds.map((feed) => feed.silentMs()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    await Promise.all([...this.#closing, ...this.#feeds.splice(0).map((feed) => feed.close())]);
  }

  #another(): Feed {
    if (this.#feeds.length >= kafkaLimits.consumersMax)
      throw new Error(`one partition is followed by more than ${kafkaLimits.consumersMax} readers`);
    const feed = new Feed(this.#ports);
    this.#feeds.push(feed);
    return feed;
  }

  #closeIdle(): void {
    const idle = this.#feeds.filter((feed) => feed.idleMs() > this.#idleMsMax);
    this.#feeds = this.#feeds.filter((feed) => !idle.includes(feed));
    for (const feed of idle) {
      const closed = feed.close();
      this.#closing.add(closed);
      void closed.finally(() => this.#closing.delete(closed));
    }
  }
}
