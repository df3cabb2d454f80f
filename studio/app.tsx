import { LiveApp } from './live-app.js';
import type { PageData } from './page-data.js';
import { RaceApp } from './race/race-app.js';
import { RaceScenarioApp } from './race/race-scenario-app.js';
import { RecordingApp } from './recording-app.js';
import { ReportApp } from './report/report-app.js';

/** The page: which view it is depends on the data alone. */
export function App({ data }: { data: PageData }) {
  switch (data.kind) {
    case 'live':
      return <LiveApp page={data} />;
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
