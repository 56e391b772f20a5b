// A service that holds as many packages as its argument says; prints where it is.
import { startSandbox } from '../../dist/index.js';

const { url, token } = await startSandbox({
  data: ':memory:',
  pageSize: 100,
  extraPackages: Number(process.argv[2]) - 30,
});
console.log(JSON.stringify({ url, token }));
