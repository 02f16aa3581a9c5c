import ipaddr from 'ipaddr.js';

/** Who may be reached: anyone in the public internet, or, in development only, this machine itself. */
export type Reach = 'public' | 'loopback';

export type UrlFault = 'url' | 'scheme' | 'credentials' | 'fragment' | 'host' | 'address';
/** An address that events may be pushed to, normalised; or why not. */
export type CheckedUrl =
  | { readonly kind: 'ok'; readonly url: string; readonly reach: Reach }
  | { readonly kind: 'refused'; readonly fault: UrlFault };

const charactersMax = 2_048;
const faulty = (fault: UrlFault): CheckedUrl => ({ kind: 'refused', fault });

/**
 * Whether events may be pushed to this address (D-5): https to a public host; with the switch of development, also http or https
 * to this machine, named as such. A name is not resolved here: what it leads to is asked of `mayConnect`, for the very address that
 * is then connected to.
 */
export const checkPushUrl = (text: string, { loopback }: { readonly loopback: boolean }): CheckedUrl => {
  const url = isPlain(text) ? parsed(text) : undefined;
  if (url === undefined) return faulty('url');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return faulty('scheme');
  if (authority(text).includes('@')) return faulty('credentials');
  if (text.includes('#')) return faulty('fragment');
  return onHost(url, loopback);
};

/** Printable ASCII with slashes of one kind: nothing that a parser takes away or turns round before it looks. */
const isPlain = (text: string): boolean =>
  text.length <= charactersMax && /^https?:\/\/[^/]/i.test(text) && /^[!-[\]-~]+$/.test(text);

/** Also an empty name is one: it serves to mislead. */
const authority = (text: string): string => text.split('/', 3)[2]!.split(/[?#]/, 1)[0]!;

const parsed = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const onHost = (url: URL, loopback: boolean): CheckedUrl => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (loopback && (host === 'localhost' || isLoopback(host))) return { kind: 'ok', url: url.href, reach: 'loopback' };
  if (url.protocol !== 'https:') return faulty('scheme');
  if (ipaddr.isValid(host)) return isPublic(host) ? { kind: 'ok', url: url.href, reach: 'public' } : faulty('address');
  return isPublicName(host) ? { kind: 'ok', url: url.href, reach: 'public' } : faulty('host');
};

/** Top-level names that are never anybody's in the public internet, and what clouds call their insides by. */
const insideNames = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'arpa', 'onion'];

/** Two labels at least, of letters, digits and hyphens; the last one no number and none of the inside. */
const isPublicName = (host: string): boolean => {
  const labels = host.split('.');
  const last = labels.at(-1)!;
  return (
    host.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?$/.test(label)) &&
    /[a-z]/.test(last) &&
    !insideNames.includes(last)
  );
};

/**
 * Whether a connection may be made to this address, which is the one that the name of a checked URL was resolved to now (D-5).
 * What a name of the public internet leads to inside is refused, in development too.
 */
export const mayConnect = (address: string, reach: Reach): boolean => {
  switch (reach) {
    case 'public':
      return isPublic(address);
    case 'loopback':
      return isLoopback(address);
  }
};

/** Whether an address, in any notation, is one of the public internet. What is no address is not; nor is one with a zone. */
export const isPublic = (address: string): boolean => {
  const known = read(address);
  if (known === undefined || metadata.includes(known.toString())) return false;
  if (known.kind() === 'ipv4') return known.range() === 'unicast';
  // All public IPv6 there is; what is not assigned yet is not.
  return known.range() === 'unicast' && known.match(ipaddr.IPv6.parse('2000::'), 3);
};

/** Addresses of clouds that serve credentials to their machines, and lie among the public ones. */
const metadata = ['168.63.129.16'];

export const isLoopback = (address: string): boolean => read(address)?.range() === 'loopback';

/** The address that is meant: one of IPv4 that is written as IPv6 (mapped, or by way of NAT64) is that of IPv4. */
const read = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const address = text.includes(':') ? hexadecimal(text) : text;
  if (!/^[0-9a-fx.:]{1,64}$/i.test(address) || !ipaddr.isValid(address)) return undefined;
  const known = ipaddr.parse(address);
  return known instanceof ipaddr.IPv6 ? (embedded(known) ?? known) : known;
};

/** IPv6 without dots: ipaddr.js takes `::1.2.3.4` for the mapped address, which is another. Empty if it is no IPv6. */
const hexadecimal = (text: string): string =>
  /^[0-9a-f.:]{2,45}$/i.test(text) && URL.canParse(`https://[${text}]/`)
    ? new URL(`https://[${text}]/`).hostname.slice(1, -1)
    : '';

const carriers = ['::ffff:0:0', '64:ff9b::'].map((prefix) => ipaddr.IPv6.parse(prefix));

const embedded = (address: ipaddr.IPv6): ipaddr.IPv4 | undefined =>
  carriers.some((carrier) => address.match(carrier, 96)) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : undefined;
