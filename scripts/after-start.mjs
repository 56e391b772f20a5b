// Says after `npm start` where the same is done without a terminal.
console.log(`
The same in your browser, where you can correct cells too:
  npx catersheet desk`);
