import type { PageData } from './page-data.js';

/** The page: which view it is depends on the data alone. */
export function App({ data }: { data: PageData }) {
  return <main class="app">{data.kind}</main>;
}
