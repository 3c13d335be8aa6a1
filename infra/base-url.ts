/** Stands in a configured address for the id of the API, which nobody knows before it is deployed. */
export const API_ID_PLACE = '{apiId}';
/** What a variable of API Gateway's stage can hold of an address. */
const ADDRESS = /^https?:\/\/[A-Za-z0-9\-._~:/]+$/;

/**
 * The address at which people reach a stage, where it is not the one that API Gateway gives it: behind a domain of
 * one's own, or on a target that stands in for AWS (`http://127.0.0.1:4566/restapis/{apiId}/api/_user_request_`).
 * @throws Error for what cannot be one
 */
export function readBaseUrl(text: string): string {
  const filled = text.replace(API_ID_PLACE, 'x');
  if (!ADDRESS.test(filled) || !URL.canParse(filled) || text.endsWith('/')) {
    throw new Error(
      `baseUrl is an address without a query or a slash at its end, as in https://pay.example.com; ${API_ID_PLACE} stands for the id of the API.`,
    );
  }
  return text;
}
