import type { buildConnector, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';

/** What connects to a service: how many connections, and the limits of silence, ms. */
type PoolOptions = Required<
  Pick<Pool.Options, 'connections' | 'connectTimeout' | 'headersTimeout' | 'bodyTimeout' | 'pipelining'>
>;

/** The variables that name a proxy, for each scheme: the first that is there counts. */
const NAMES = {
  httpProxy: ['http_proxy', 'HTTP_PROXY'],
  httpsProxy: ['https_proxy', 'HTTPS_PROXY'],
} as const;

/** Before the code of what went wrong with the proxy itself, before a byte of a request was written. */
export const AT_PROXY = 'PROXY_';

/**
 * Connections by the proxy that the environment names (HTTPS_PROXY, HTTP_PROXY, and not for NO_PROXY);
 * null where it names none. A tunnel (CONNECT) is made for http as well: the proxy is sent no request.
 * @throws StopError (usage) for a proxy that can't be used.
 */
export function openProxied(options: PoolOptions): Dispatcher | null {
  const [httpProxy, httpsProxy] = [proxyOf('httpProxy'), proxyOf('httpsProxy')];
  if (httpProxy === '' && httpsProxy === '') return null;
  // undici adds where to connect to.
  const tls = { timeout: options.connectTimeout } as buildConnector.BuildOptions;
  return new EnvHttpProxyAgent({
    ...options,
    ...{ httpProxy, httpsProxy },
    ...{ proxyTls: tls, requestTls: tls },
    clientFactory: (origin, made) => toldApart(new Pool(origin, { ...made, ...options })),
  });
}

/** The address of a proxy; empty where none is named. One without a scheme is of http, as everywhere. */
function proxyOf(scheme: keyof typeof NAMES): string {
  const name = NAMES[scheme].find((one) => process.env[one] !== undefined);
  const value = (name && process.env[name]?.trim()) ?? '';
  const address = value === '' || value.includes('://') ? value : `http://${value}`;
  if (address === '' || (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
    return address;
  // It may hold a password.
  throw usageStop(
    t(`${name} is no address of a proxy.`, `${name} is geen adres van een proxy.`),
    t('Write it as http://host:port.', 'Schrijf het als http://server:poort.'),
  );
}

/**
 * The connections to a proxy, which undici gives a way to connect only as a whole. What fails there is
 * not taken for a fault of the service, nor tried for ever.
 */
function toldApart(pool: Pool): Pool {
  const told = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const made = await connect.call(pool, options).catch((error: { code?: string; name: string }) => {
      throw atProxy(error.code ?? error.name);
    });
    if (made.statusCode === 200) return made;
    made.socket.on('error', () => {}).destroy();
    throw atProxy(String(made.statusCode));
  };
  return Object.assign(pool, { connect: told });
}

const atProxy = (what: string): Error => Object.assign(new Error(what), { code: `${AT_PROXY}${what}` });
