import { expect, test } from 'vitest';
import { openDesk, rawAnswer } from './open-desk.ts';

test.each(['/', '/page.js', '/page.css'])(
  'the page’s file %s comes compressed where the browser takes that, and not again',
  async (path) => {
    const { port, origin } = await openDesk();
    const host = { host: `127.0.0.1:${port}` };
    const plain = await rawAnswer(port, path, { headers: { ...host, 'accept-encoding': 'gzip;q=0, br' } });
    expect(plain).toMatchObject({ status: 200, headers: { vary: 'accept-encoding' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const answer = await fetch(`${origin}${path}`, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    // It is read as what it was.
    expect(await answer.text()).toBe(plain.text);
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).not.toBe(plain.headers.etag);
    const again = await rawAnswer(port, path, {
      headers: { ...host, 'accept-encoding': 'gzip', 'if-none-match': etag },
    });
    expect(again).toMatchObject({ status: 304, text: '' });
  },
);
