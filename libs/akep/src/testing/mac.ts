import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Mac } from '../mac.ts';

export const nodeMac: Mac = {
  hmacSha256: (secret, parts) => {
    const hmac = createHmac('sha256', secret);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  },
  equal: timingSafeEqual,
};
