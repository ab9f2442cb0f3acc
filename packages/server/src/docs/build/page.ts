import type { Html } from '../../http/html.ts';

/** A heading of a page, for its table of contents. */
export interface Heading {
  readonly level: number;
  readonly anchor: string;
  readonly text: string;
}

/** A part of a page that the search finds. */
export interface Section {
  /** Null for the beginning of the page. */
  readonly anchor: string | null;
  readonly title: string;
  readonly text: string;
}

/** A page of the site, before its frame is added. */
export interface SitePage {
  /** Address below the root of the site: `webhooks/`. */
  readonly address: string;
  readonly title: string;
  /** Title in the navigation, if it differs. */
  readonly shortTitle?: string;
  readonly body: Html;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** Path of the source in the repository, for the edit link; null for a page made from other sources. */
  readonly source: string | null;
  /** True for a page with code beside the text. */
  readonly isWide?: boolean;
}
