/** Base elements, navigation, top bar, header of a page, buttons. */
export const SHELL = `/* Base */
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--bar) + var(--s4)); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 400 var(--t-md)/1.5 var(--font); font-variant-numeric: tabular-nums; }
:where(h1, h2, h3, h4, p, dl, dd, ol, ul, figure, pre, fieldset) { margin: 0; padding: 0; border: 0; }
ol, ul { list-style: none; }
legend { padding: 0; }
h1 { font-size: var(--t-xl); line-height: 1.3; font-weight: 600; letter-spacing: -0.012em; overflow-wrap: anywhere; }
h2 { font-size: var(--t-lg); line-height: 1.4; font-weight: 600; letter-spacing: -0.005em; }
h3 { font-size: var(--t-md); line-height: 1.5; font-weight: 600; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
a:hover { color: var(--accent-hover); }
code, pre, .mono { font-family: var(--mono); font-size: 0.92em; }
summary { min-height: 1.5rem; cursor: pointer; }
small { font-size: var(--t-xs); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: var(--r1); }
h1.mono, h2.mono { font-size: 0.9375rem; }
p, code, dd { overflow-wrap: anywhere; }
h3.mono { font-size: var(--t-sm); }
.muted { color: var(--text-3); }
.soft { color: var(--text-2); }
.num { text-align: right; }
.nowrap { white-space: nowrap; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: fixed; top: var(--s2); left: var(--s2); z-index: 30; padding: var(--s2) var(--s3); background: var(--accent); color: var(--on-accent); border-radius: var(--r2); transform: translateY(-200%); }
.skip:focus { transform: none; color: var(--on-accent); }

/* Shell: navigation, drawer, top bar */
.shell { display: grid; grid-template-columns: var(--nav) minmax(0, 1fr); min-height: 100vh; }

.nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; display: flex; flex-direction: column; padding: 0 var(--s3) var(--s4); background: var(--sunken); border-right: 1px solid var(--line); }
.brand { display: flex; align-items: center; min-height: var(--bar); padding: 0 var(--s2); font-size: var(--t-lg); font-weight: 650; letter-spacing: -0.01em; color: var(--text); text-decoration: none; }
.nav-group { margin-top: var(--s4); }
.nav-group:first-of-type { margin-top: var(--s1); }
.nav-label { padding: 0 var(--s2) var(--s1); font-size: var(--t-xs); font-weight: 500; color: var(--text-3); }
.nav-link { display: flex; align-items: center; justify-content: space-between; min-height: max(1.875rem, var(--control) - 0.125rem); padding: 0 var(--s2); border-radius: var(--r2); color: var(--text-2); text-decoration: none; }
.nav-link:hover { background: var(--quiet-tint); color: var(--text); }
.nav-link[aria-current] { background: var(--quiet-tint); color: var(--text); font-weight: 600; }
.nav-foot { margin-top: auto; padding: var(--s4) var(--s2) 0; font-size: var(--t-sm); color: var(--text-3); overflow-wrap: anywhere; }
.nav-foot .link-button { margin-top: var(--s1); }
.nav:focus-visible { outline-offset: -2px; }
.nav-close, .menu-button { display: none; }

.bar { position: sticky; top: 0; z-index: 10; display: flex; align-items: center; gap: var(--s3); height: var(--bar); padding: 0 var(--edge); background: var(--canvas); border-bottom: 1px solid var(--line); }
.jump { flex: 1; max-width: 34rem; position: relative; }
.jump input { width: 100%; height: var(--control); padding: 0 2.25rem 0 var(--s3); border: 1px solid var(--line-control); border-radius: var(--r2); background: var(--canvas); color: var(--text); font: inherit; }
.jump input::placeholder { color: var(--text-3); opacity: 1; }
.jump kbd { position: absolute; right: 0.4rem; top: calc(50% - 0.625rem); width: 1.25rem; height: 1.25rem; display: grid; place-items: center; border: 1px solid var(--line); border-radius: var(--r1); background: var(--sunken); font: 500 var(--t-xs)/1 var(--mono); color: var(--text-3); pointer-events: none; }
.tenant { margin-left: auto; position: relative; }
.tenant > summary { display: flex; align-items: center; gap: var(--s2); min-height: var(--control); padding: 0 var(--s2); margin-right: calc(-1 * var(--s2)); border-radius: var(--r2); font-weight: 500; cursor: pointer; list-style: none; white-space: nowrap; }
.tenant-name { max-width: 16rem; overflow: hidden; text-overflow: ellipsis; }
.tenant > summary::-webkit-details-marker { display: none; }
.tenant > summary::after { content: ""; width: 0.375rem; height: 0.375rem; border: solid var(--text-3); border-width: 0 1.5px 1.5px 0; transform: translateY(-2px) rotate(45deg); }
.tenant > summary:hover { background: var(--hover); }
.mode { flex: none; white-space: nowrap; padding: 0.0625rem 0.4375rem; border-radius: var(--r1); font-size: 0.6875rem; line-height: 1.125rem; font-weight: 650; letter-spacing: 0.05em; }
.mode-sandbox { background: var(--warn-tint); color: var(--warn); box-shadow: inset 0 0 0 1px var(--warn-line); }
.mode-live { background: var(--text); color: var(--canvas); }
.menu { position: absolute; right: 0; top: calc(100% + var(--s1)); width: min(24rem, 80vw); padding: var(--s1); background: var(--raised); border: 1px solid var(--line); border-radius: var(--r3); box-shadow: var(--shadow); }
.menu a { display: flex; justify-content: space-between; align-items: center; gap: var(--s3); min-height: 2.125rem; padding: 0 var(--s3); border-radius: var(--r2); color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
.menu a:hover { background: var(--hover); }

.main { padding: var(--s5) var(--edge) var(--s7); }
.section { margin-top: var(--s6); }
.section > h2 + .kv { margin-top: var(--s3); }
.section-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--s1) var(--s3); margin-bottom: var(--s2); }
.section-head > a { margin-left: auto; font-size: var(--t-sm); }
.cols { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: var(--s7); align-items: start; }

/* Page header */
.head { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: var(--s3) var(--s5); }
.head-text { min-width: 0; max-width: 48rem; }
.crumb { overflow-wrap: anywhere; display: inline-flex; align-items: center; min-height: 1.5rem; font-size: var(--t-sm); color: var(--text-3); text-decoration: none; }
.crumb:hover { text-decoration: underline; }
.head h1 > .badge { margin-left: var(--s2); vertical-align: 0.125em; }
.lede { overflow-wrap: anywhere; margin-top: var(--s1); color: var(--text-2); }
.meta { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--s1) var(--s4); margin-top: var(--s1); color: var(--text-3); font-size: var(--t-sm); }
.actions { display: flex; flex-wrap: wrap; gap: var(--s2); }

/* Buttons */
.btn { display: inline-flex; align-items: center; justify-content: center; min-height: var(--control); padding: 0 var(--s3); border: 1px solid var(--line-button); border-radius: var(--r2); background: var(--canvas); color: var(--text); font: 500 var(--t-md)/1.2 var(--font); text-decoration: none; white-space: nowrap; cursor: pointer; }
.btn:hover { background: var(--hover); color: var(--text); }
.btn-primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.btn-primary:hover { border-color: var(--accent-hover); background: var(--accent-hover); color: var(--on-accent); }
.btn-danger { color: var(--bad); }
.btn-danger:hover { background: var(--bad-tint); color: var(--bad); }
.link-button, .copy { display: inline-flex; align-items: center; min-height: 1.5rem; padding: 0; border: 0; background: none; color: var(--accent); font: 400 var(--t-sm)/1.2 var(--font); text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; cursor: pointer; }
.copy { padding: 0 var(--s1); color: var(--text-3); font-size: var(--t-xs); text-decoration: none; border-radius: var(--r1); }
.copy:hover { background: var(--quiet-tint); color: var(--text); }

/* A page without navigation: sign-in, consent, invitation */
.door { max-width: 34rem; margin: 0 auto; padding: var(--s6) var(--edge) var(--s7); }
.door .brand { padding: 0; }
.door .main { padding: var(--s4) 0 0; }
.main:focus { outline: none; }
.narrow { max-width: 34rem; }
.head + .body { margin-top: var(--s4); }
/* Space between the parts of a page; the margin of a component wins. */
:where(.flow > * + *) { margin-top: var(--s4); }
:where(.flow > h2) { margin-top: var(--s6); }
:where(.flow > h3) { margin-top: var(--s5); }
.flow > p, .flow > ul, .flow > form > p { max-width: 46rem; }
`;
