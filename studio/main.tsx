import { render } from 'preact';
import { App } from './app.js';
import { readPageData } from './page-data.js';
import './style.css';

render(<App data={readPageData(document)} />, document.querySelector('#studio') as HTMLElement);
