import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A token for a sandbox that was given none. */
export function randomToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Tells whether an Authorization header holds the token, in the same time whatever it holds. */
export function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(`Bearer ${token}`);
  return (authorization = '') => timingSafeEqual(digest(authorization), expected);
}
