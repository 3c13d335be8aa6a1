import { AWS_OPTIONS } from '../../../shared/store/table/aws-client.ts';

// The service gives up a call after seconds, for its caller sends the request again. A test that makes a key, or looks
// into the table, has no such caller, and the target of a deployment works on one processor for all tests.
Object.assign(AWS_OPTIONS.requestHandler, { requestTimeout: 60_000, socketTimeout: 60_000 });
