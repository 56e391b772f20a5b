// Tells at the end what the process cost, as its last line.
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stderr.write(`\ncpu ${Math.round((user + system) / 1000)} ms, memory ${megabytes} MB\n`);
});
