import { describe, expect, test } from 'vitest';
import { packages } from '../../src/resources/packages.ts';
import { open } from './open.ts';
import { type Behaviour, json, silence, startServer } from './scripted-server.ts';

const { create, findById } = packages.requests;
const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };

const halfway: Behaviour = (response) => {
  response.writeHead(200);
  response.write('{"Product');
};

// The timers of undici tick about once a second, so these run side by side.
describe.concurrent.each([
  ['no answer', silence, 'no answer within 0.3 s (timeout)'],
  ['an answer that stops halfway', halfway, 'the answer stopped halfway: no byte for 0.3 s (timeout)'],
] as const)('%s', (_, behaviour, reason) => {
  test('a create is lost at once', { timeout: 290_000 }, async () => {
    const server = await startServer(behaviour);
    const service = open(server.baseUrl, { timeout: 300 });
    const lost = { kind: 'lost', attempts: 1, mayHaveTakenEffect: true, reason };
    await expect(service.send(create, { body })).rejects.toMatchObject(lost);
    await service.close();
    await server.stop();
  });

  test('a read is asked again', { timeout: 290_000 }, async () => {
    const server = await startServer(behaviour, json({ ProductID: 5 }));
    const service = open(server.baseUrl, { timeout: 300 });
    await expect(service.send(findById, { params: { ID: 5 } })).resolves.toMatchObject({ ProductID: 5 });
    expect(service.stats).toMatchObject({ requests: 2, retried: 1, lost: 1, inFlight: 0 });
    await service.close();
    await server.stop();
  });
});
