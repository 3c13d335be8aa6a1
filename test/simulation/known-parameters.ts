const CONDITION = [
  'TableName',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
];
const ALONE = [...CONDITION, 'ReturnValuesOnConditionCheckFailure'];

/** The one value that some parameters have, if they are there. */
const ONLY: Readonly<Record<string, string>> = {
  ProjectionExpression: 'sk',
  ReturnValues: 'UPDATED_NEW',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  Select: 'COUNT',
};

/** The parameters that this service sends, of every operation and of every write in a transaction. */
const KNOWN = new Map(
  Object.entries({
    GetItem: ['TableName', 'Key', 'ConsistentRead'],
    BatchGetItem: ['RequestItems'],
    Query: [
      ...['TableName', 'IndexName', 'KeyConditionExpression', 'FilterExpression', 'ProjectionExpression'],
      ...['ExpressionAttributeNames', 'ExpressionAttributeValues', 'ConsistentRead', 'ScanIndexForward'],
      ...['Limit', 'ExclusiveStartKey', 'Select'],
    ],
    PutItem: [...ALONE, 'Item'],
    UpdateItem: [...ALONE, 'Key', 'UpdateExpression', 'ReturnValues'],
    DeleteItem: [...ALONE, 'Key'],
    BatchWriteItem: ['RequestItems'],
    TransactWriteItems: ['TransactItems', 'ClientRequestToken'],
    Put: [...CONDITION, 'Item'],
    Update: [...CONDITION, 'Key', 'UpdateExpression'],
    Delete: [...CONDITION, 'Key'],
    ConditionCheck: [...CONDITION, 'Key'],
  }).map(([operation, names]) => [operation, new Map(names.map((name) => [name, ONLY[name] ?? null]))]),
);

/** @throws Error for an operation or a parameter that this service does not send */
export function requireKnown(operation: string, input: Readonly<Record<string, unknown>>): void {
  const known = KNOWN.get(operation);
  for (const name in input) {
    const only = known?.get(name);
    if (only !== null && (only === undefined || (input[name] ?? only) !== only)) {
      throw new Error(`the model of the store does not know ${operation} with ${name}: ${input[name]}`);
    }
  }
}
