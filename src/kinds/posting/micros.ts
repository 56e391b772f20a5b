/** Beyond this, doubles no longer hold millionths. */
const LARGEST = 9e9;

/** An amount in millionths, exact; null for one that is too large to be exact. So 0.1 + 0.2 is 0.3. */
export function toMicros(amount: number): bigint | null {
  if (!(Math.abs(amount) <= LARGEST)) return null;
  return BigInt(amount.toFixed(6).replace('.', ''));
}

/** The amount as it is sent and shown. */
export function fromMicros(micros: bigint): number {
  return Number(micros) / 1e6;
}
