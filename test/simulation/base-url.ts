/** The address of the simulated service. */
export const BASE_URL = 'http://service.example';
