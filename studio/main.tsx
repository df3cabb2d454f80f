import { render } from 'preact';
import { App } from './app.js';
import { readToken } from './live/admin-token.js';
import { isFollowing } from './live/live-state.js';
import { readPageData } from './page-data.js';
import { keepSelectionInAddress } from './selection.js';
import './style.css';

const data = readPageData(document);
if (data.kind === 'live' && data.needsToken) {
  readToken();
  addEventListener('hashchange', readToken);
}
// A file is read from its beginning.
isFollowing.value = data.kind === 'live';
keepSelectionInAddress();
render(<App data={data} />, document.querySelector('#studio') as HTMLElement);
