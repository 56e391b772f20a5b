import { describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../src/core/errors.ts';
import { packages } from '../../src/resources/packages.ts';
import { endpointPath, sameAddress, sameOriginPath, serviceAddress } from '../../src/service/address.ts';

function stop(work: () => unknown): StopError {
  try {
    work();
  } catch (error) {
    if (error instanceof StopError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test.each([
  ['http://localhost:8080/', 'http://127.0.0.1:8080/', true],
  ['http://[::1]:8080/', 'http://LOCALHOST.:8080', true],
  ['https://keuken.example./api', 'https://Keuken.example:443/api/', true],
  ['http://localhost:8080/', 'http://localhost:8081/', false],
  ['https://keuken.example/', 'https://www.keuken.example/', false],
  ['https://keuken.example/', 'https://keuken.example/api/', false],
  ['sandbox 1-2', 'sandbox 1-3', false],
  ['sandbox 1-2', 'sandbox 1-2', true],
])('whether %s and %s are one address: %s', (one, other, is) => {
  expect(sameAddress(one, other)).toBe(is);
});

describe('the base URL', () => {
  test.each([
    ['https://api.keuken.example', 'https://api.keuken.example/'],
    ['https://api.keuken.example/', 'https://api.keuken.example/'],
    ['https://api.keuken.example/klant/7', 'https://api.keuken.example/klant/7/'],
    ['  https://api.keuken.example/klant/7/  ', 'https://api.keuken.example/klant/7/'],
    ['HTTPS://API.keuken.example:443', 'https://api.keuken.example/'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://localhost.:8080', 'http://localhost.:8080/'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['http://127.8.9.1', 'http://127.8.9.1/'],
    ['http://2130706433', 'http://127.0.0.1/'],
    ['http://[::1]:8080', 'http://[::1]:8080/'],
  ])('%s is used as %s', (text, used) => {
    expect(serviceAddress(text).href).toBe(used);
  });

  test.each([
    'https:api.keuken.example',
    'https:\\\\api.keuken.example',
    'http:127.0.0.1:8080#.xlsx',
    'https://api.keuken.example/?a=1',
    'https://api.keuken.example/#b',
  ])('%s is refused, as it is not written in full: the name of a file could be one', (text) => {
    expect(stop(() => serviceAddress(text))).toMatchObject({ exit: EXIT.usage });
  });

  test.each([
    'http://10.0.0.5',
    'http://api.keuken.example',
    'http://localhost.keuken.example',
    'http://127.0.0.1.keuken.example',
    'http://[::]:80',
    'http://0.0.0.0',
  ])('%s is refused without leave, as the token could be read', (text) => {
    expect(stop(() => serviceAddress(text))).toMatchObject({
      exit: EXIT.usage,
      message: expect.stringContaining('not encrypted'),
    });
    expect(serviceAddress(text, true).protocol).toBe('http:');
  });

  test.each([
    '',
    'keuken.example',
    'localhost:8080',
    'ftp://keuken.example',
    'file:///etc/passwd',
    'https://',
  ])('"%s" is no address', (text) => {
    expect(stop(() => serviceAddress(text)).exit).toBe(EXIT.usage);
  });

  test('is refused with a password in it, which is not repeated', () => {
    const { message, next } = stop(() => serviceAddress('https://kok:Pannenkoek9@keuken.example'));
    expect(`${message} ${next}`).not.toContain('Pannenkoek9');
    expect(stop(() => serviceAddress('ftp://kok:Pannenkoek9@keuken.example')).message).not.toContain(
      'Pannenkoek9',
    );
  });
});

describe('the path of a request', () => {
  const base = serviceAddress('https://keuken.example/klant/7');

  test.each([
    ['31002', 'detailExternal/31002'],
    ['a/b', 'detailExternal/a%2Fb'],
    ['a?b#c', 'detailExternal/a%3Fb%23c'],
    ['50% één', 'detailExternal/50%25%20%C3%A9%C3%A9n'],
    ['$&', 'detailExternal/%24%26'],
  ])('encodes a parameter "%s" as one segment', (ID, path) => {
    expect(endpointPath(base, packages.requests.findByExternal, { ID })).toBe(
      `/klant/7/api/v1/product/pakket/${path}`,
    );
  });

  test.each([{}, { ID: '' }, { ID: '..' }, { ID: '.' }])(
    'refuses parameters %j as a fault of the program',
    (params) => {
      expect(() =>
        endpointPath(base, packages.requests.findByExternal, params as Record<string, string>),
      ).toThrow(TypeError);
    },
  );
});

describe('a link that the service gave', () => {
  const base = serviceAddress('https://keuken.example/klant/7');

  test.each([
    [
      'https://keuken.example/klant/7/api/v1/product/pakket/allModified?page=2',
      '/klant/7/api/v1/product/pakket/allModified?page=2',
    ],
    ['https://keuken.example:443/x?page=2', '/x?page=2'],
    ['?page=2', '/klant/7/?page=2'],
    ['/x?page=2', '/x?page=2'],
  ])('%s is followed', (link, path) => {
    expect(sameOriginPath(base, link, packages.requests.list)).toBe(path);
  });

  test.each([
    ['https://evil.example/api/v1/product?page=2&steal=1', 'https://evil.example'],
    ['http://keuken.example/klant/7/x?page=2', 'http://keuken.example'],
    ['https://keuken.example:8443/x', 'https://keuken.example:8443'],
    ['https://keuken.example.evil.example/x', 'https://keuken.example.evil.example'],
    ['https://keuken.example@evil.example/x', 'https://evil.example'],
    ['//evil.example/x', 'https://evil.example'],
    ['\\\\evil.example/x', 'https://evil.example'],
    ['http://10.0.0.5:8080/x', 'http://10.0.0.5:8080'],
    ['javascript:alert(1)', 'null'],
    ['https://kok:x@keuken.example/x', 'https://keuken.example'],
    ['https://', 'nowhere'],
  ])('%s is not', (link, told) => {
    const { message, exit } = stop(() => sameOriginPath(base, link, packages.requests.list));
    expect(exit).toBe(EXIT.service);
    expect(message).toContain(told);
    expect(message).not.toContain('steal');
  });
});
