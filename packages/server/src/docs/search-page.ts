/** Comment in the search page that the server replaces by the results. */
export const RESULTS_PLACE = '<!-- results -->';

/** Maximum number of characters of a query. The fuzzy search needs memory for the square of a word's length. */
export const MAX_QUERY_LENGTH = 200;
