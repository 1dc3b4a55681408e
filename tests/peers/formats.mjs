// The three wire formats by the names that their vendors and the vendors' packages have for them.
export const typeOfRequest = {
  anthropic: 'Anthropic.MessageCreateParamsNonStreaming',
  openai_chat: 'OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming',
  openai_responses: 'OpenAI.Responses.ResponseCreateParamsNonStreaming',
};

export const typeOfReply = {
  anthropic: 'Anthropic.Message',
  openai_chat: 'OpenAI.Chat.Completions.ChatCompletion',
  // The client package adds output_text to what the service says.
  openai_responses: "Omit<OpenAI.Responses.Response, 'output_text'>",
};

export const titleOf = {
  anthropic: 'Anthropic Messages',
  openai_chat: 'OpenAI Chat Completions',
  openai_responses: 'OpenAI Responses',
};

export const pathOf = {
  anthropic: '/v1/messages',
  openai_chat: '/v1/chat/completions',
  openai_responses: '/v1/responses',
};
