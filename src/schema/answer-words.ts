const NONE_WRONG = /\b(?:no|without|zero|0|geen|zonder) (?:errors?|failures?|failed|fouten|fout)\b/gi;
const WRONG =
  /\b(?:error|errors|exception|fatal|fail(?:ed|ure)?|warning|denied|refused|rejected|invalid|unauthori[sz]ed|forbidden|not found|unknown|no such|(?:does not|doesn.t) exist|no connection|time[d -]*out|unable|could not|cannot|can't|unavailable|fout|fouten|mislukt|geweigerd|ongeldig|onbekend|niet gevonden|bestaat niet|geen verbinding|niet bereikbaar|kon niet|kan niet|niet verstuurd|niet verzonden)\b/i;

const DONE =
  /\b(?:ok|okay|sent|success(?:ful(?:ly)?)?|succes|succesvol|done|completed?|accepted|queued|processed|delivered|transmitted|verzonden|verstuurd|gelukt|geslaagd|verwerkt|geaccepteerd|afgeleverd)\b/i;
/** What turns such words round, or makes them hang on something that is still to come. */
const NOT_YET =
  /\b(?:0|no|not|none|nothing|never|\w+n['’]t|geen|niet|niets|nooit|nog|yet|to be|pending|wait\w*|wacht\w*|can|could|may|might|will|would|shall|should|must|kan|kunnen|mag|zal|zou|zullen|moet|moeten|if|unless|als|indien|tenzij|after|before|na|voordat|nadat|partly|partially|deels|gedeeltelijk)\b/i;

const withoutNoErrors = (words: string): string => words.replace(NONE_WRONG, '');

/** Whether words tell that something went wrong. */
export function soundsWrong(words: string): boolean {
  return WRONG.test(withoutNoErrors(words));
}

/** Whether words tell plainly that it was done. */
export function soundsDone(words: string): boolean {
  const rest = withoutNoErrors(words);
  return DONE.test(rest) && !WRONG.test(rest) && !NOT_YET.test(rest);
}
