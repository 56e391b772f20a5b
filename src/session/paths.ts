import { join } from 'node:path';
import envPaths from 'env-paths';

/** Where the program keeps its own files: the user's data and state folders, or all in CATERSHEET_HOME. */
interface Paths {
  /** The ledger: what was sent, and which ExternalID is which id. */
  readonly ledger: string;
  /** The embedded sandbox's company. */
  readonly sandbox: string;
  /** The folder of logs. */
  readonly logs: string;
}

/** The program's own files on this machine. */
export function programPaths(environment: NodeJS.ProcessEnv): Paths {
  const home = environment.CATERSHEET_HOME;
  const { data, log } = home
    ? { data: home, log: join(home, 'logs') }
    : envPaths('catersheet', { suffix: '' });
  return { ledger: join(data, 'ledger.db'), sandbox: join(data, 'sandbox.db'), logs: log };
}
