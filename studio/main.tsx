import './style.css';
import { render } from 'preact';
import { DropTarget } from './files/drop-target.js';
import { HostedApp } from './hosted/hosted-app.js';
import { readToken } from './live/admin-token.js';
import { isFollowing } from './live/live-state.js';
import { LiveApp } from './live-app.js';
import { type PageData, readPageData } from './page-data.js';
import { hasDocs } from './parts/docs-link.js';
import { RaceApp, RaceScenarioApp } from './race/race-app.js';
import { RecordingApp } from './recording-app.js';
import { ReportApp } from './report/report-app.js';
import { keepSelectionInAddress } from './selection.js';
import './responsive.css';

const data = readPageData(document);
if (data.kind === 'live' && data.needsToken) {
  readToken();
  addEventListener('hashchange', readToken);
}
// A file is shown from its beginning.
isFollowing.value = data.kind === 'live';
hasDocs.value = data.kind === 'live';
// A hosted page has no address of its own.
if (data.kind !== 'hosted') keepSelectionInAddress();
render(<App data={data} />, document.querySelector('#studio') as HTMLElement);

/** Which view the page shows depends on the data alone. */
function App({ data }: { data: PageData }) {
  switch (data.kind) {
    case 'live':
      return (
        <DropTarget target={data.target} render={(page) => <App data={page} />}>
          <LiveApp page={data} />
        </DropTarget>
      );
    case 'hosted':
      return <HostedApp page={data} render={(page) => <App data={page} />} />;
    case 'recording':
      return <RecordingApp page={data} />;
    case 'race':
      return <RaceApp race={data.race} />;
    case 'race-scenario':
      return <RaceScenarioApp page={data} />;
    case 'report':
      return <ReportApp page={data} />;
  }
}
