import { render } from 'preact';
import { App } from './app.js';
import { readPageData } from './page-data.js';
import { keepSelectionInAddress } from './selection.js';
import './style.css';

keepSelectionInAddress();
render(<App data={readPageData(document)} />, document.querySelector('#studio') as HTMLElement);
