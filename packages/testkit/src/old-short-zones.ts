/** The old short names of time zones that `Intl` still takes and `Temporal` refuses. */
export const oldShortZones =
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' ')
