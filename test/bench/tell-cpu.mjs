// Tells at the end what the process cost, as its last line.
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(`\ncpu ${Math.round((user + system) / 1000)} ms\n`);
});
