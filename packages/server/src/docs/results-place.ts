/** Comment in the search page that the server replaces by the results. */
export const RESULTS_PLACE = '<!-- results -->';
