/** A placeholder in a configured address for the id of the API, which is unknown before the deployment. */
export const API_ID_PLACE = '{apiId}';
/** The characters of an address that a stage variable of API Gateway can hold. No program resolves its path to another. */
const ADDRESS = /^https?:\/\/[A-Za-z0-9](?!.*\/\.)[A-Za-z0-9\-._~:/]*$/;

/**
 * The public address of a stage, if it is not the one that API Gateway gives it: behind a custom domain, or on a
 * target that stands in for AWS (`http://127.0.0.1:4566/restapis/{apiId}/api/_user_request_`).
 * @throws Error if the text is not a valid address
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
