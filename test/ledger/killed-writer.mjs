// Makes postings in a ledger one after the other, until it is killed.
const [module, file, name] = process.argv.slice(2);
const { openLedger } = await import(module);
const ledger = openLedger(file);
for (let seq = 0; ; seq++) {
  const posting = { fingerprint: `${name} ${seq}`, run: 'r', seq, state: 'sending', at: '', id: null };
  await ledger.claimPosting('s', 'stock', posting);
  if (seq === 0) console.log('begun');
}
