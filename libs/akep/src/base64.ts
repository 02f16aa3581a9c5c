const form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Base64 with its padding, of at most some hundred bytes. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Undefined if the text is no base64 with its padding. */
export const fromBase64 = (text: string): Uint8Array | undefined =>
  form.test(text) ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : undefined;
