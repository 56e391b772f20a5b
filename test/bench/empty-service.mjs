// A service that holds a handful of packages only; prints where it is.
import { startSandbox } from '../../dist/start-sandbox.js';

const { url, token } = await startSandbox({ data: ':memory:' });
console.log(JSON.stringify({ url, token }));
