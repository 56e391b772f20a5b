// One contestant on one file, in a process of its own: prints what it read, its time and its peak memory as JSON.
const [name, file] = process.argv.slice(2);
const { read } = await import(`./contestants/${name}.mjs`);
const start = performance.now();
const tally = await read(file);
const ms = performance.now() - start;
console.log(JSON.stringify({ ...tally, ms, megabytes: process.resourceUsage().maxRSS / 1024 }));
