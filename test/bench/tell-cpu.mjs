// Tells at the end what the process cost, on its fourth stream.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ ms: (user + system) / 1000 }));
});
