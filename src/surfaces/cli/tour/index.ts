export { runTour } from './run-tour.ts'
