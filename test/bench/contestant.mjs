// One contestant in a process of its own: loads what it needs, and prints what it did, its time and its peak memory as JSON.
//   node contestant.mjs reading.hucre '{"file":"…","folder":"…","numbers":[100000,20]}'
const [place, input] = process.argv.slice(2);
const [module, name] = place.split('.');
const { [name]: prepared } = await import(`./contestants/${module}.mjs`);
const ends = [];
const work = await prepared(JSON.parse(input), (end) => ends.push(end));
const start = performance.now();
const done = await work();
const ms = performance.now() - start;
for (const end of ends) await end();
console.log(JSON.stringify({ ...done, ms, megabytes: process.resourceUsage().maxRSS / 1024 }));
