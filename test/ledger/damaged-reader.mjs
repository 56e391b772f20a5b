// Opens each ledger named, reads and writes it, and prints what ended that: a process of its own, as SQLite's
// library ends the whole process over a text that is no UTF-8.
const [module, ...files] = process.argv.slice(2);
const { openLedger } = await import(module);
for (const file of files) {
  let end = { exit: 0 };
  try {
    const ledger = openLedger(file);
    for (const { run } of await ledger.listRuns(50)) {
      await ledger.readRows(run, { after: -1, limit: 10_000 });
      await ledger.findRun(run);
    }
    const found = await ledger.findPostings('s', 'stock', ['f1', 'f2']);
    await ledger.rememberFact('s', 'seen', 'yes');
    await ledger.close();
    end = { exit: 0, found: found.size };
  } catch (error) {
    end = { exit: error.exit ?? 1, message: String(error.message), next: error.next };
  }
  console.log(JSON.stringify(end));
}
