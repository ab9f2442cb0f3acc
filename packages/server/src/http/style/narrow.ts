/** Changes for narrow screens, for readers without motion, for forced colours and for paper. It follows all other rules. */
export const NARROW = `/* Narrow screens */
@media (max-width: 110rem) {
  .split .spare { display: none; }
  .split .brief { max-width: 9rem; overflow: hidden; text-overflow: ellipsis; }
}
@media (max-width: 85rem) {
  .split .brief { display: none; }
}
@media (max-width: 80rem) {
  :root { --pane: 25rem; }
  .cols { grid-template-columns: minmax(0, 1fr); gap: var(--s6); }
}
@media (max-width: 72rem) {
  .split { display: block; }
  .split > .pane { position: static; max-height: none; min-height: 0; margin: 0; padding: 0; border: 0; }
  /* A selected row has its own page: the list is hidden, the back link is shown. */
  .split > .list:not(:target) > :not(.head) { display: none; }
  .split > .list:not(:target) > .head { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .split > .list:not(:target) > .head .actions { display: none; }
  .back { display: inline-flex; align-items: center; min-height: 1.75rem; margin-bottom: var(--s2); font-size: var(--t-sm); color: var(--text-2); text-decoration: none; }
  .split:has(> .list:target) > .pane { display: none; }
  .pane-head > .link-button { display: none; }
}
@media (max-width: 56rem) {
  .shell { display: block; }
  .nav { position: fixed; inset: 0 auto 0 0; z-index: 20; width: min(19rem, 84vw); visibility: hidden; transform: translateX(-100%); background: var(--raised); }
  .nav:target { visibility: visible; transform: none; box-shadow: 0 0 0 100vmax rgb(8 12 18 / 50%); }
  /* Neither the Tab key nor a finger reaches what the drawer covers. */
  .nav:target + div { visibility: hidden; }
  .nav-head { display: flex; justify-content: space-between; align-items: center; }
  .nav-close, .menu-button { display: inline-flex; align-items: center; min-height: 2rem; padding: 0 var(--s2); border-radius: var(--r2); color: var(--text-2); text-decoration: none; font-weight: 500; }
  .menu-button { margin-left: calc(-1 * var(--s2)); color: var(--text); }
  .nav-link { min-height: 2.25rem; }
  .bar { flex-wrap: wrap; gap: 0 var(--s2); height: auto; min-height: var(--bar); }
  .jump { flex: 1 1 6rem; }
  .btn { white-space: normal; }
  .jump kbd, .tenant-name { display: none; }
  .jump input { padding-right: var(--s2); text-overflow: ellipsis; }
  .main { padding-top: var(--s4); }
  .wide { display: none; }
  .table-wrap { --bleed: var(--s4); }
  .table thead th { position: static; }
  .table tr > :not(.wide):not(:has(~ :not(.wide))) { padding-right: 0; }
  .stats { display: grid; grid-template-columns: 1fr 1fr; gap: var(--s4); }
  .filters { display: grid; grid-template-columns: 1fr 1fr; }
  .filters .grow-field, .filters select.input { max-width: none; }
  .filters .btn { align-self: end; }
  .tl { --time: 0rem; --rail: 0.375rem; --branch: calc(var(--rail) + 1.25rem); }
  .tl-item { padding-left: calc(var(--rail) + 1.25rem); }
  .tl-branch, .tl-fork { padding-left: calc(var(--branch) + 1.25rem); }
  .tl-hook { width: calc(1.25rem + 1px); }
  .tl-when { position: static; display: flex; gap: var(--s2); width: auto; text-align: left; }
  .tl-item { display: flex; flex-direction: column; }
  .tl-item > .tl-body { min-width: 0; }
  .tl-fork .tl-kind { display: none; }
  .notice .kv { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .notice .kv dd + dt { margin-top: var(--s2); }
}
@media (max-width: 24rem) {
  /* Words wrap, so that each column keeps its own. */
  .table th, .table td { padding-inline: var(--s1); }
  .table .badge { white-space: normal; }
  .table .grow, .table .grow .row-link { white-space: normal; overflow-wrap: anywhere; }
}
/* Text of twice the size on a phone */
@media (max-width: 16rem) {
  .bar, .table thead th { position: static; }
  .table .nowrap, .table thead th, .badge { white-space: normal; }
}
/* Every link of the navigation fits into a short window. */
@media (min-width: 56.01rem) and (max-height: 54rem) {
  .nav { padding-bottom: var(--s2); }
  .nav .brand { min-height: 2.25rem; }
  .nav-group { margin-top: var(--s2); }
  .nav-link { min-height: 1.5rem; padding-block: 0; }
  .nav-label { margin-bottom: 0; }
  .nav-foot { padding-top: var(--s2); }
}
@media (pointer: coarse) {
  .check, .copy, .link-button, .menu-button, .nav-close, .crumb, .back, .row-link, .menu a, summary, .more > summary { min-height: var(--control); }
  .chip { min-height: 2rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .btn, .nav-link, .chip { transition: background-color 80ms linear; }
}
@media (forced-colors: active) {
  .badge, .mode, .chip { border: 1px solid; }
  .tl-node, .key { forced-color-adjust: none; }
  .tl-rail, .tl-line, .tl-stem { background: CanvasText; }
  .table tbody tr[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; }
}
@media print {
  .skip, .nav, .bar, .crumb, .back, .btn, .filters, .live, .pager, .copy, .pane-head > .link-button { display: none; }
  .shell { display: block; }
  .table thead th { position: static; }
  .table .grow, .table .grow .row-link { white-space: normal; overflow-wrap: anywhere; }
  .code pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  /* On paper, "9 min ago" needs its time. */
  .ago { font-size: 0; }
  .ago::after { content: attr(datetime); font-size: var(--t-xs); }
}
`;
